/** A picture of a course: a file of its folder `pictures`, shown by a lesson as `![what is to be seen](pictures/name.svg)`. */
export interface Picture {
  name: string
  svg: string
}

export const PICTURE_NAME = /^[a-z0-9]+(-[a-z0-9]+)*\.svg$/
const PATH = /^\/api\/courses\/[a-z0-9-]+\/pictures\/[a-z0-9-]+\.svg(?:#(\d{1,4})x(\d{1,4}))?$/
const VIEW_BOX = /<svg\b[^>]*\bviewBox="0 0 (\d{1,4}) (\d{1,4})"/

/** Brackets may stand in the words, in pairs. */
const WORDS = String.raw`!\[((?:[^[\]]|\[[^[\]]*\])*)\]`
const IN_FOLDER = new RegExp(String.raw`(${WORDS}\()pictures/([^)#]*)`, 'g')
const ANYWHERE = new RegExp(String.raw`${WORDS}\([^)]*\)`, 'g')

/** Where the API has the pictures of a course. */
export const picturesPath = (courseId: string): string => `/api/courses/${courseId}/pictures/`

/** Whether an address is that of a course's picture here; no other picture is loaded. */
export const isCoursePicture = (address: string): boolean => PATH.test(address)

/** How wide and high a course's picture is drawn, by its address; null where that does not tell. */
export function pictureSize(address: string): { width: number; height: number } | null {
  const [, width, height] = PATH.exec(address) ?? []
  return width && height ? { width: Number(width), height: Number(height) } : null
}

/**
 * The same Markdown with its pictures where the API has them, each with its size behind the address (`…svg#360x208`), so
 * that a page can keep the place free before the picture is there.
 */
export const withPicturePaths = (
  markdown: string,
  courseId: string,
  pictures: readonly Picture[],
): string =>
  markdown.replace(IN_FOLDER, (_, before: string, _words: string, name: string) => {
    const picture = pictures.find((one) => one.name === name)
    const [, width, height] = VIEW_BOX.exec(picture?.svg ?? '') ?? []
    const size = width && height ? `#${width}x${height}` : ''
    return `${before}${picturesPath(courseId)}${name}${size}`
  })

/** The same Markdown with the words of each picture that is a file in its place. */
export const filesInWords = (markdown: string): string => markdown.replace(ANYWHERE, '$1')
