import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { Connection } from '../../src/client/event-stream.ts'
import { cacheWriter } from './cache-writer.ts'
import { arcs } from './client.ts'

const FRAMES = {
  request: (draw: () => void) => requestAnimationFrame(draw),
  cancel: (frame: number) => cancelAnimationFrame(frame),
}

/** Follows the events of an arc and writes what they say into the query cache. */
export function useArcEvents(arcId: string): Connection {
  const client = useQueryClient()
  const [connection, setConnection] = useState<Connection>('connecting')
  useEffect(() => {
    const stopping = new AbortController()
    const writer = cacheWriter(client, arcId, FRAMES)
    void arcs.follow(arcId, {
      signal: stopping.signal,
      network: window,
      onConnection: (next) => {
        if (!stopping.signal.aborted) setConnection(next)
      },
      // What happened between reading the page and the stream's opening is in no event.
      onGap: () => writer.refetch(['arc', 'messages', 'mindMap']),
      onEvent: writer.take,
    })
    return () => {
      stopping.abort()
      writer.stop()
    }
  }, [client, arcId])
  return connection
}
