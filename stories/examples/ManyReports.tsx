import { EmbeddedReport } from '@vitrine/react';

const tiles = ['Team', 'Region', 'Quarter'].flatMap((name, index) => [
  { name: `${name}, this year`, itemId: 1042 + index },
  { name: `${name}, last year`, itemId: 1042 + index },
]);

export const ManyReports = () => (
  <div
    style={{
      display: 'grid',
      gap: 16,
      gridTemplateColumns: 'repeat(auto-fill, minmax(min(300px, 100%), 1fr))',
    }}
  >
    {tiles.map(({ name, itemId }) => (
      <EmbeddedReport key={name} itemId={itemId} title={name} height={300} />
    ))}
  </div>
);
