import { Help } from 'commander';
import type { Io } from '../io.ts';

/** The width of `--help`. */
export const helpWidthOf = ({ stdout }: Io): number => Math.min(100, stdout.columns || 80);

/** The narrowest column of descriptions beside their terms; on a terminal without it, they are below. */
const narrowest = 40;

/** The layout of a list in `--help`, for the library. */
export const helpLayout = {
  minWidthToWrap: 20,
  formatItem: (term: string, termWidth: number, description: string, helper: Help): string => {
    const { helpWidth = 80 } = helper;
    if (helpWidth - termWidth - 4 >= narrowest)
      return Help.prototype.formatItem.call(helper, term, termWidth, description, helper);
    return `  ${term}\n${helper.boxWrap(description, helpWidth - 6).replaceAll(/^/gm, '      ')}`;
  },
};

/** Wraps a text between words; a longer word gets its own line. */
export const wrapWords = (text: string, width: number): readonly string[] =>
  Object.assign(new Help(), { minWidthToWrap: 1 }).boxWrap(text, width).split('\n');
