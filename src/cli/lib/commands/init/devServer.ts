import type { Project } from './project.ts';

/** The npm script that starts an app: its name and its command. A server is none that Vite alone starts. */
export const startScript = (
  { manifest: { scripts = {} } }: Project,
  isServer = false,
): { readonly name?: string; readonly command: string } => {
  const name = ['dev', 'start'].find(
    (one) => scripts[one] !== undefined && !(isServer && /^vite\b/.test(scripts[one])),
  );
  return { ...(name !== undefined && { name }), command: scripts[name ?? ''] ?? '' };
};

/** The port that a command says, if it says one. */
export const portOf = (command: string): string | undefined =>
  /(?:--port|-p|\bPORT=)[ =]?(\d{2,5})\b/.exec(command)?.[1];

/** The path below which an app is served, as one of its configuration files says, without a slash at the end. */
export const basePathOf = (project: Project, configurations: readonly string[]): string => {
  const text = project.read(project.find(configurations) ?? '') ?? '';
  return /\b(?:base|basePath|basename)['"]?:\s*['"](\/[^'"]*?)\/?['"]/.exec(text)?.[1] ?? '';
};

/** The address of a page at a development server: the script's port goes before the configured and the default one. */
export const devAddress = (
  project: Project,
  { configurations, port, path }: { configurations: readonly string[]; port: number; path: string },
): string => {
  const text = project.read(project.find(configurations) ?? '') ?? '';
  const [, configured = port] = /\bport:\s*(\d{2,5})\b/.exec(text) ?? [];
  const actual = portOf(startScript(project).command) ?? configured;
  return `http://localhost:${actual}${basePathOf(project, configurations)}${path}`;
};
