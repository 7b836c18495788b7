import { englishLabels, useEmbeddedReport } from '@vitrine/react';

const visible = { display: 'contents' } as const;
/** Where the browser does not scroll to, at the final size. */
const hidden = {
  position: 'fixed',
  top: 0,
  left: 0,
  width: '100%',
  height: 480,
  visibility: 'hidden',
} as const;
const fill = { position: 'absolute', inset: 0, width: '100%', height: '100%', border: 0 } as const;

export const OwnCard = ({ itemId }: { readonly itemId: number }) => {
  const { root, state, frames, refresh } = useEmbeddedReport(itemId);
  const { status, error } = state;
  const isShown = frames.some(({ isVisible }) => isVisible);
  return (
    <div ref={root} className="host-card" data-state={status}>
      <div className="host-bar">
        <strong>Sales by region</strong>
        <output className="host-muted">{status}</output>
        <button type="button" className="host-button" onClick={refresh}>
          Renew
        </button>
      </div>
      <div style={{ position: 'relative', height: 480 }}>
        {!isShown && <p className="host-panel">{error ? englishLabels[error.kind].title : 'Loading…'}</p>}
        {frames.map(({ id, isVisible, props }) => (
          // An element that only React touches: consent managers and extensions replace iframes.
          <div key={id} style={isVisible ? visible : hidden}>
            <iframe {...props} title="Sales by region" style={fill} />
          </div>
        ))}
      </div>
    </div>
  );
};
