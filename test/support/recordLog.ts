import type { Logger } from '@vitrine/server';

/** A logger that records its lines for a test. */
export const recordLog = () => {
  const lines: { level: keyof Logger; fields: Record<string, unknown>; message: string }[] = [];
  const write = (level: keyof Logger) => (fields: object, message: string) =>
    void lines.push({ level, fields: { ...fields }, message });
  return {
    lines,
    debug: write('debug'),
    info: write('info'),
    warn: write('warn'),
    error: write('error'),
  };
};
