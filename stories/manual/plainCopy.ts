import { repositoryFileUrl } from '../../scripts/packageMetadata.ts';
import { isPage } from './links.ts';

/** A Markdown page for programs: without live stories; links to files that are no pages lead to the repository. */
export const plainCopy = (file: string, text: string): string =>
  text
    .replaceAll(/^<!-- (?:story|type|props): .* -->\n{0,2}/gm, '')
    .replaceAll(/\]\(([\w./@-]+)(#[\w-]+)?\)/g, (link, target: string, hash = '') => {
      const path = new URL(target, `file:///${file}`).pathname.slice(1);
      return isPage(path) ? link : `](${repositoryFileUrl(path)}${hash})`;
    });

/** What a page is about: the first sentence of its first paragraph. */
export const summaryOf = (text: string): string => {
  const [heading = '', ...parts] = text.split('\n\n');
  if (heading.startsWith('# @vitrine/')) return `Every function and type of ${heading.slice(2)}.`;
  const paragraph = parts.find((part) => /^(?!```)[\w`[]/.test(part)) ?? '';
  const plain = paragraph.replaceAll('\n', ' ').replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1');
  return /^.+?\.(?= |$)/.exec(plain)?.[0] ?? plain;
};
