import type { CSSProperties } from 'react';

/** The browser's own colors, so that the panel follows the system's light or dark scheme. */
const surface = { colorScheme: 'light dark', color: 'CanvasText', background: 'Canvas' } as const;
const border = '1px solid GrayText';

export const corner: CSSProperties = {
  position: 'fixed',
  zIndex: 2147483000,
  right: 12,
  bottom: 12,
  font: '14px/1.5 system-ui, sans-serif',
};
export const toggle: CSSProperties = {
  ...surface,
  border,
  borderRadius: 8,
  padding: '8px 12px',
  font: 'inherit',
};
export const panel: CSSProperties = {
  ...surface,
  border,
  borderRadius: 8,
  boxSizing: 'border-box',
  width: 'min(420px, calc(100vw - 24px))',
  maxHeight: '60vh',
  overflow: 'auto',
  padding: 12,
  marginBottom: 8,
};
export const list: CSSProperties = { listStyle: 'none', margin: 0, padding: 0 };
export const card: CSSProperties = { borderBottom: border, padding: '8px 0' };
export const row: CSSProperties = { display: 'flex', flexWrap: 'wrap', gap: 8, marginTop: 4 };
export const heading: CSSProperties = { font: 'inherit', fontWeight: 700, margin: '8px 0 0' };
export const note: CSSProperties = { margin: '8px 0 0' };
