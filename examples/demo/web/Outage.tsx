import { useEffect, useState } from 'react';
import { startOutage } from './backend.ts';

/** Takes the portal down for a while. The open report stays; a newly opened one waits for the portal. */
export const Outage = () => {
  const [outageMs, setOutageMs] = useState(0);
  useEffect(() => {
    if (outageMs === 0) return;
    const timer = setTimeout(() => setOutageMs(0), outageMs);
    return () => clearTimeout(timer);
  }, [outageMs]);

  const isDown = outageMs > 0;
  return (
    <>
      <button
        type="button"
        className="button"
        aria-disabled={isDown}
        onClick={() => {
          if (!isDown) void startOutage().then((answer) => setOutageMs(answer.outageMs));
        }}
      >
        Portal down
      </button>
      <output className="muted">
        {isDown
          ? `Down for ${outageMs / 1000} seconds. This report stays; open another one now.`
          : 'Stops new keys for a while: reports wait and recover automatically.'}
      </output>
    </>
  );
};
