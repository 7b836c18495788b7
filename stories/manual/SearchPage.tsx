import { useEffect, useId, useState } from 'react';
import { type SearchEntry, search } from './searchIndex.ts';

const mostShown = 40;

/** Searches the whole text of the manual, beyond the titles in the sidebar. */
export const SearchPage = () => {
  const id = useId();
  const [entries, setEntries] = useState<readonly SearchEntry[]>([]);
  const [question, setQuestion] = useState('');
  useEffect(() => {
    const read = async () => setEntries((await import('virtual:search-index')).default);
    void read();
  }, []);
  const found = search(entries, question);
  return (
    <>
      <p>
        <label htmlFor={id}>An error code, a prop, an option or any other words</label>
      </p>
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
    </>
  );
};
