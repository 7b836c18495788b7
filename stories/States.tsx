import { type ErrorLabel, englishLabels } from '@vitrine/react';

const labels = Object.entries(englishLabels).filter(
  (entry): entry is [string, ErrorLabel] => typeof entry[1] === 'object',
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
      {labels.map(([kind, { title, description }]) => (
        <tr key={kind}>
          <td>
            <code>{kind}</code>
          </td>
          <td>{title}</td>
          <td>{description}</td>
        </tr>
      ))}
    </tbody>
  </table>
);
