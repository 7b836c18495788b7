import { useEffect, useId, useState } from 'react';
import { createSearch, type SearchEntry } from './searchIndex.ts';

const mostShown = 12;

/** Searches the whole text of the manual. */
export const Search = () => {
  const id = useId();
  const [search, setSearch] = useState<(question: string) => readonly SearchEntry[]>(() => () => []);
  const [question, setQuestion] = useState('');
  useEffect(() => {
    const read = async () => {
      const { manualEntries } = await import('./manualEntries.ts');
      setSearch(() => createSearch(manualEntries));
    };
    void read();
  }, []);
  const found = search(question);
  return (
    <search>
      <label htmlFor={id}>Search: an error code, a prop, or your own words</label>
      <input
        id={id}
        type="search"
        className="manual-search"
        value={question}
        onChange={(event) => setQuestion(event.target.value)}
      />
      <output className="manual-found">
        {question.trim() !== '' && (found.length === 0 ? 'Nothing found.' : `${found.length} found.`)}
      </output>
      <ol>
        {found.slice(0, mostShown).map(({ target, page, heading }) => (
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
