/** A picture of a course: a file of its folder `pictures`, shown by a lesson as `![what is to be seen](pictures/name.svg)`. */
export interface Picture {
  name: string
  svg: string
}

export const PICTURE_NAME = /^[a-z0-9]+(-[a-z0-9]+)*\.svg$/
const PATH = /^\/api\/courses\/[a-z0-9-]+\/pictures\/[a-z0-9-]+\.svg$/

/** Brackets may stand in the words, in pairs. */
const WORDS = String.raw`!\[((?:[^[\]]|\[[^[\]]*\])*)\]`
const IN_FOLDER = new RegExp(String.raw`(${WORDS}\()pictures/`, 'g')
const ANYWHERE = new RegExp(String.raw`${WORDS}\([^)]*\)`, 'g')

/** Where the API has the pictures of a course. */
export const picturesPath = (courseId: string): string => `/api/courses/${courseId}/pictures/`

/** Whether an address is that of a course's picture here; no other picture is loaded. */
export const isCoursePicture = (address: string): boolean => PATH.test(address)

/** The same Markdown with its pictures where the API has them. */
export const withPicturePaths = (markdown: string, courseId: string): string =>
  markdown.replace(IN_FOLDER, `$1${picturesPath(courseId)}`)

/** The same Markdown with the words of each picture that is a file in its place. */
export const filesInWords = (markdown: string): string => markdown.replace(ANYWHERE, '$1')
