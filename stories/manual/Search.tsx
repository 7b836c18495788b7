import { useEffect, useRef, useState } from 'react';
import type { SearchEntry } from './searchIndex.ts';

const mostShown = 12;

/** Searches the whole text of the manual. `/` focuses it; its index loads then. */
export const Search = () => {
  const field = useRef<HTMLInputElement>(null);
  const [search, setSearch] = useState<(question: string) => readonly SearchEntry[]>();
  const [question, setQuestion] = useState('');
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== '/' || event.composedPath().some((element) => element instanceof HTMLInputElement))
        return;
      event.preventDefault();
      field.current?.focus();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
  const load = async () => {
    const { searchManual } = await import('./searchManual.ts');
    setSearch(() => searchManual);
  };
  const found = question.trim() === '' ? undefined : search?.(question);
  return (
    <search>
      <input
        ref={field}
        type="search"
        className="manual-search"
        aria-label="Search the manual"
        placeholder="Search the manual: press /"
        value={question}
        onFocus={() => void load()}
        onChange={(event) => setQuestion(event.target.value)}
      />
      <output>{found && (found.length === 0 ? 'Nothing found.' : `${found.length} found.`)}</output>
      <ol>
        {found?.slice(0, mostShown).map(({ target, page, heading }) => (
          <li key={`${target} ${heading}`}>
            <a href={`./?path=/docs/${target}`} target="_top">
              {heading}
            </a>{' '}
            ({page})
          </li>
        ))}
      </ol>
    </search>
  );
};
