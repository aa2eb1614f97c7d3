import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Problem } from '../../src/client/problem.ts'
import type { ImportOutcome } from '../../src/contracts/taking-along.ts'

/** Sends the file of an export, and says meanwhile what share of it has left. Throws `Problem`. */
function sendFile(file: File, onSent: (share: number) => void): Promise<ImportOutcome> {
  return new Promise((resolve, reject) => {
    // `fetch` tells nothing of how far an upload is.
    const request = new XMLHttpRequest()
    request.open('POST', '/api/learners/me/import')
    request.setRequestHeader('content-type', 'application/json')
    request.upload.onprogress = ({ loaded, total }) => onSent(total > 0 ? loaded / total : 1)
    request.upload.onload = () => onSent(1)
    request.onload = () => {
      const answer = read(request.responseText)
      if (request.status === 200 && answer) resolve(answer as unknown as ImportOutcome)
      else reject(new Problem(request.status, answer ?? {}))
    }
    request.onerror = () =>
      reject(new Problem(0, { title: 'No connection', detail: 'The server cannot be reached.' }))
    request.send(file)
  })
}

function read(text: string): Record<string, unknown> | null {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** An import; `sent` is the share of its file that has left, 0..1. All that is shown is read anew after it. */
export function useImport() {
  const client = useQueryClient()
  const [sent, setSent] = useState(0)
  const mutation = useMutation({
    mutationFn: (file: File) => {
      setSent(0)
      return sendFile(file, setSent)
    },
    onSuccess: () => client.invalidateQueries(),
  })
  return { ...mutation, sent }
}
