import { cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { stringify } from 'yaml'
import { loadCourse, loadCourses } from '../../src/courses/load.ts'
import { sampleCourse, sampleUnit } from './sample-course.ts'

let root: string

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'courses-'))
})

afterEach(() => rm(root, { recursive: true }))

/** Writes the sample course below the root and returns its folder. */
async function written(name = 'sums'): Promise<string> {
  const { units, prereqEdges: _, ...course } = sampleCourse()
  const folder = join(root, name)
  for (const { questions, templates, exams, lesson, ...unit } of units) {
    const unitFolder = join(folder, 'units', unit.unitId)
    await mkdir(unitFolder, { recursive: true })
    await writeFile(join(unitFolder, 'unit.yml'), stringify(unit))
    await writeFile(join(unitFolder, 'questions.yml'), stringify({ questions, templates }))
    await writeFile(join(unitFolder, 'exams.yml'), stringify({ exams }))
    await writeFile(join(unitFolder, 'lesson.md'), `${lesson}\n`)
  }
  const unitIds = units.map((unit) => unit.unitId)
  await writeFile(join(folder, 'course.yml'), stringify({ ...course, units: unitIds }))
  return folder
}

/** What stands in the second unit's unit.yml. */
function unitFields() {
  const {
    questions: _,
    templates: __,
    exams: ___,
    lesson: ____,
    ...unit
  } = sampleUnit('SUM-01', 'Adding brackets', ['SUM-00'])
  return unit
}

const unitFile = (folder: string, name: string) => join(folder, 'units', 'SUM-01', name)

test('a written pack is read back whole', async () => {
  expect(await loadCourse(await written())).toEqual(sampleCourse())
})

test('pictures come along, and a lesson names them where the API has them, with their size', async () => {
  const folder = await written()
  await mkdir(join(folder, 'pictures'))
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 360 208"/>'
  await writeFile(join(folder, 'pictures', 'cells.svg'), svg)
  await writeFile(join(folder, 'pictures', 'notes.txt'), 'no picture')
  await writeFile(unitFile(folder, 'lesson.md'), 'Look:\n\n![[1, 2] in cells](pictures/cells.svg)')
  const course = await loadCourse(folder)
  expect(course.pictures).toEqual([{ name: 'cells.svg', svg }])
  expect(course.units[1]?.lesson).toBe(
    'Look:\n\n![[1, 2] in cells](/api/courses/sums/pictures/cells.svg#360x208)',
  )
})

test('a cache changes nothing but the time: read first, read again, and where it is spoilt', async () => {
  const cache = join(root, 'cache')
  const read = async (name: string, folder?: string) => {
    await cp('courses/algebra-basics', join(root, name), { recursive: true })
    return loadCourse(join(root, name), folder)
  }
  const course = await read('without')
  expect(await read('first', cache)).toEqual(course)
  const kept = await readdir(cache)
  expect(kept.length).toBeGreaterThan(40)
  expect(await read('again', cache)).toEqual(course)
  await Promise.all(kept.map((name) => writeFile(join(cache, name), '{"units": [')))
  expect(await read('spoilt', cache)).toEqual(course)
  expect(await read('no folder', '/dev/null/cache')).toEqual(course)
})

test('a course is read once per process, but a failure is not kept', async () => {
  const folder = await written()
  await rm(unitFile(folder, 'lesson.md'))
  await expect(loadCourse(folder)).rejects.toThrow('lesson.md: cannot be read')
  await writeFile(unitFile(folder, 'lesson.md'), 'Add.')
  const first = await loadCourse(folder)
  await rm(unitFile(folder, 'lesson.md'))
  expect(await loadCourse(folder)).toBe(first)
})

test('a field that breaks the format is named with its file and path', async () => {
  const folder = await written()
  const file = unitFile(folder, 'exams.yml')
  const exams = sampleCourse().units[1]?.exams.map((exam) => ({ ...exam, tier: 'tin' }))
  await writeFile(file, stringify({ exams }))
  await expect(loadCourse(folder)).rejects.toThrow(`${file}: exams.0.tier: `)
})

test('an unknown field is refused', async () => {
  const folder = await written()
  await writeFile(unitFile(folder, 'unit.yml'), stringify({ ...unitFields(), colour: 'red' }))
  await expect(loadCourse(folder)).rejects.toThrow('colour')
})

test('YAML that cannot be read is named with its file', async () => {
  const folder = await written()
  const file = unitFile(folder, 'unit.yml')
  await writeFile(file, 'title: [open')
  await expect(loadCourse(folder)).rejects.toThrow(file)
})

test('a unit that is not called as its folder is refused', async () => {
  const folder = await written()
  await writeFile(unitFile(folder, 'unit.yml'), stringify({ ...unitFields(), unitId: 'SUM-09' }))
  await expect(loadCourse(folder)).rejects.toThrow('unitId: "SUM-09" is not the name of its folder')
})

test('every folder with a course is loaded, by name', async () => {
  await written('b')
  await written('a')
  await mkdir(join(root, 'empty'))
  const courses = await loadCourses(root)
  expect(courses).toHaveLength(2)
  expect(courses[0]).toBe(await loadCourse(join(root, 'a')))
})
