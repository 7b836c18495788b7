import { streamSSE } from 'hono/streaming';
import type { PortalContext } from '../http/respond.ts';
import type { PortalParts } from '../portalParts.ts';

/** Sends events about new log entries and clock changes until the reader leaves or the portal stops. */
export const streamEvents = (
  context: PortalContext,
  { events }: PortalParts,
  stopping: AbortSignal,
): Response =>
  streamSSE(context, async (stream) => {
    await stream.write(': open\n\n');
    const tell = (event: string) => void stream.writeSSE({ event, data: '{}' });
    events.on('event', tell);
    const { promise, resolve } = Promise.withResolvers<unknown>();
    stream.onAbort(() => resolve(undefined));
    stopping.addEventListener('abort', resolve);
    await promise;
    stopping.removeEventListener('abort', resolve);
    events.off('event', tell);
  });
