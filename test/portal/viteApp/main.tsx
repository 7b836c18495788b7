import { EmbeddedReport } from '@vitrine/react';
import '@vitrine/react/styles.css';
import { useState } from 'react';
import { createRoot } from 'react-dom/client';

const App = () => {
  const [clicked, setClicked] = useState('nothing');
  return (
    <>
      <p>Clicked: {clicked}</p>
      <EmbeddedReport
        itemId={1042}
        title="Sales by region"
        onAction={(action) => setClicked(JSON.stringify(action))}
      />
    </>
  );
};

createRoot(document.querySelector('#root') ?? document.body).render(<App />);
