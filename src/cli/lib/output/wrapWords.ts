import { Help } from 'commander';

/** Wraps a text between words; a longer word gets its own line. */
export const wrapWords = (text: string, width: number): readonly string[] =>
  Object.assign(new Help(), { minWidthToWrap: 1 }).boxWrap(text, width).split('\n');
