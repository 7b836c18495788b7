import type { Project } from './project.ts';

/** The npm script that starts an app: name and command. For a server, excludes scripts that only start Vite. */
export const startScript = (
  { manifest: { scripts = {} } }: Project,
  isServer = false,
): { readonly name?: string; readonly command: string } => {
  const name = ['dev', 'start'].find(
    (one) => scripts[one] !== undefined && !(isServer && /^vite\b/.test(scripts[one])),
  );
  return { ...(name !== undefined && { name }), command: scripts[name ?? ''] ?? '' };
};

/** The port in a command, if any. */
export const portOf = (command: string): string | undefined =>
  /(?:--port|-p|\bPORT=)[ =]?(\d{2,5})\b/.exec(command)?.[1];

/** The base path of an app from its configuration files, without a trailing slash. */
export const basePathOf = (project: Project, configurations: readonly string[]): string => {
  const text = project.read(project.find(configurations) ?? '') ?? '';
  return /\b(?:base|basePath|basename)['"]?:\s*['"](\/[^'"]*?)\/?['"]/.exec(text)?.[1] ?? '';
};

/**
 * URL of a page on a development server. The script's port takes precedence over the configured and the default one.
 */
export const devAddress = (
  project: Project,
  { configurations, port, path }: { configurations: readonly string[]; port: number; path: string },
): string => {
  const text = project.read(project.find(configurations) ?? '') ?? '';
  const [, configured = port] = /\bport:\s*(\d{2,5})\b/.exec(text) ?? [];
  const actual = portOf(startScript(project).command) ?? configured;
  return `http://localhost:${actual}${basePathOf(project, configurations)}${path}`;
};
