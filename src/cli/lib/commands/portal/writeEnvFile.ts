import { chmod, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { parseEnv } from 'node:util';
import { envLine, type PortalTenant, tenantEnvironment } from '@vitrine/portal';
import { hasCode } from '../../output/fileError.ts';
import { UsageError } from '../../output/usageError.ts';

/** A variable in an `.env` file, as in `node --env-file`: a quoted value may span several lines. */
const variable = /^([ \t]*(?:export[ \t]+)?)(\w+)[ \t]*=[ \t]*(?:'[^']*'|"[^"]*"|`[^`]*`)?[^\r\n]*/gm;

/**
 * Merges a tenant's variables into the text of an `.env` file. Other lines stay unchanged; ours keep their position.
 */
export const mergeEnv = (text: string, values: Readonly<Record<string, string>>): string => {
  const missing = new Map(Object.entries(values));
  const merged = text.replaceAll(variable, (whole, start: string, name: string) => {
    const value = values[name];
    if (value === undefined) return whole;
    missing.delete(name);
    return start + envLine(name, value);
  });
  if (missing.size === 0) return merged;
  const lineEnd = text.includes('\r\n') ? '\r\n' : '\n';
  const gap = merged === '' || merged.endsWith('\n') ? '' : lineEnd;
  return merged + gap + [...missing].map(([name, value]) => envLine(name, value) + lineEnd).join('');
};

const hostOf = (url = ''): string => (URL.canParse(url) ? new URL(url).hostname : '');

/** Throws if a text has the variables of a portal on another machine: its secrets would be lost. */
const refuseOther = (text: string, { tenantUrl }: PortalTenant): void => {
  const found = hostOf(parseEnv(text)['VITRINE_TENANT_URL']);
  if (found === '' || found === hostOf(tenantUrl) || /(^|\.)localhost$|^127\.|^\[::1\]$/.test(found)) return;
  throw new UsageError(
    `This file has the variables of the portal at ${found}, and writing would delete its secrets. Move them to another file, or choose another one with --write-env.`,
  );
};

/**
 * Writes a tenant's variables into an `.env` file. A new file is readable only by its owner. Resolves to false if the file
 * has them already: a program that watches it, such as Vite, must not restart.
 */
export const writeEnvFile = async (file: string, tenant: PortalTenant): Promise<boolean> => {
  // Write the target of a symbolic link, and keep the link.
  const path = await realpath(file).catch(() => file);
  const before = await readFile(path, 'utf8').catch((error: unknown) => {
    if (hasCode(error, 'ENOENT')) return '';
    throw error;
  });
  refuseOther(before, tenant);
  const after = mergeEnv(before, tenantEnvironment(tenant).values);
  if (after === before) return false;
  const mode = before === '' ? 0o600 : (await stat(path)).mode;
  const draft = `${path}.${process.pid}.tmp`;
  try {
    await writeFile(draft, after, { mode });
    await chmod(draft, mode);
    await rename(draft, path);
    return true;
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
};
