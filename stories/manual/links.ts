import { toId } from 'storybook/internal/csf';
import { repositoryFileUrl } from '../../scripts/packageMetadata.ts';
import { guidePages, referencePages } from '../.storybook/guidePages.ts';

/** Storybook's ID of a documentation page. */
export const idOf = (title: string): string => toId(title, 'docs');

const idByFile = new Map([...guidePages, ...referencePages].map(({ file, title }) => [file, idOf(title)]));

/** Whether a file of the repository is a page of the manual. */
export const isPage = (file: string): boolean => idByFile.has(file);

/** Resolves a link of a Markdown file: to a page of the manual, or to a file of the repository. */
export const manualLink = (file: string, target: string): string => {
  if (/^(#|[a-z]+:)/.test(target)) return target;
  const { pathname, hash } = new URL(target, `file:///${file}`);
  const path = pathname.slice(1);
  const id = idByFile.get(path);
  return id === undefined ? repositoryFileUrl(path) + hash : `./?path=/docs/${id}${hash}`;
};

/** GitHub's anchor of a heading. */
export const slugOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{Letter}\p{Number}\s_-]/gu, '')
    .trim()
    .replaceAll(' ', '-');
