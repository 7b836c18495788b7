import { openInbox } from './openInbox.ts';
import { numberIn } from './receiverProcess.ts';

const pageSize = 1000;

/** Numbers of the events in an inbox. */
export const storedNumbers = async (place: string): Promise<ReadonlySet<number>> => {
  const inbox = openInbox(place);
  const numbers = new Set<number>();
  for (let from: string | undefined = '0'; from !== undefined; ) {
    const page = await inbox.list({ from, limit: pageSize });
    for (const { raw } of page) numbers.add(numberIn(raw));
    const last = page.at(-1)?.id;
    from = last === undefined ? undefined : String(BigInt(last) + 1n);
  }
  await inbox.close();
  return numbers;
};
