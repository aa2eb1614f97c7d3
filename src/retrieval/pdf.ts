import { extractText, getDocumentProxy } from 'unpdf'

/**
 * The text of a PDF, page by page.
 * @throws Error when the bytes are no readable PDF
 */
export async function pdfPages(bytes: Uint8Array): Promise<string[]> {
  const document = await getDocumentProxy(new Uint8Array(bytes))
  try {
    const { text } = await extractText(document, { mergePages: false })
    return text
  } finally {
    await document.loadingTask.destroy()
  }
}
