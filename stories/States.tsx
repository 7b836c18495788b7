import { type EmbedErrorKind, englishLabels } from '@vitrine/react';

const labels = Object.entries(englishLabels).filter(
  (entry): entry is [EmbedErrorKind, readonly [string, string]] => Array.isArray(entry[1]),
);

/** Every kind of error with its words, as the component shows them. */
export const States = () => (
  <table>
    <thead>
      <tr>
        <th>kind</th>
        <th>says</th>
        <th>and what to do</th>
      </tr>
    </thead>
    <tbody>
      {labels.map(([kind, [title, advice]]) => (
        <tr key={kind}>
          <td>
            <code>{kind}</code>
          </td>
          <td>{title}</td>
          <td>{advice}</td>
        </tr>
      ))}
    </tbody>
  </table>
);
