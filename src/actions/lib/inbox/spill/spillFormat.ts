import { sha256 } from '../../sha256.ts';
import type { NewDelivery } from '../actionInbox.ts';

/** What a line of a spill file holds: a delivery whose body is text, or else base64. */
interface SpilledLine extends Omit<NewDelivery, 'raw'> {
  readonly text?: string;
  readonly base64?: string;
}

/** Begins the name of a spill file, so that names are in the order of time. */
export const spillTime = (ms: number): string => String(Math.max(0, Math.trunc(ms))).padStart(15, '0');

const bodyOf = (raw: Uint8Array): Pick<SpilledLine, 'text' | 'base64'> => {
  const bytes = Buffer.from(raw);
  const text = bytes.toString();
  // Control characters would take six times their place in JSON.
  const isText = !/[^\P{Cc}\t\n\r]/u.test(text) && Buffer.from(text).equals(bytes);
  return isText ? { text } : { base64: bytes.toString('base64') };
};

/** Writes deliveries as the text of a spill file: a line for each, a digest and JSON. */
export const encodeSpill = (deliveries: readonly NewDelivery[]): string =>
  deliveries
    .map(({ raw, receivedAtMs, source, encoding, isRebuilt }) => {
      const json = JSON.stringify({ receivedAtMs, source, encoding, isRebuilt, ...bodyOf(raw) });
      return `${sha256(json).toString('base64')} ${json}\n`;
    })
    .join('');

/** What a spill file was read as. */
export interface DecodedSpill {
  readonly deliveries: readonly NewDelivery[];
  /** Lines that are damaged, and their deliveries lost. */
  readonly damagedLines: number;
}

const decodeLine = (line: string): NewDelivery | undefined => {
  const space = line.indexOf(' ');
  const json = line.slice(space + 1);
  if (sha256(json).toString('base64') !== line.slice(0, space)) return undefined;
  // Written by `encodeSpill`, as the digest shows.
  const { text, base64, ...rest } = JSON.parse(json) as SpilledLine;
  return { ...rest, raw: base64 === undefined ? Buffer.from(text ?? '') : Buffer.from(base64, 'base64') };
};

/** Reads the text of a spill file; lines that changed on the disk are counted and left out. */
export const decodeSpill = (text: string): DecodedSpill => {
  const lines = text.split('\n').filter((line) => line !== '');
  const deliveries = lines.map(decodeLine).filter((delivery) => delivery !== undefined);
  return { deliveries, damagedLines: lines.length - deliveries.length };
};
