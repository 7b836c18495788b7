import type { Logger } from '@vitrine/server';

/** One line of a {@link recordLog}. */
export interface LogLine {
  readonly level: keyof Logger;
  readonly fields: Record<string, unknown>;
  readonly message: string;
}

/** A logger that records its lines for a test. */
export const recordLog = (): Logger & { readonly lines: LogLine[] } => {
  const lines: LogLine[] = [];
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
