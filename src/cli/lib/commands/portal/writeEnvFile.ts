import { isUtf8 } from 'node:buffer';
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { envLine, type PortalTenant, tenantEnvironment } from '@vitrine/portal';
import { fileError, fileToWrite, hasCode, replaceFile } from '../../output/fileError.ts';
import { UsageError } from '../../output/usageError.ts';
import type { Run } from '../../program/addCommand.ts';
import { parseEnvText } from '../../program/withEnvFile.ts';

/** A variable in an `.env` file, as in `node --env-file`: a quoted value may span several lines. */
const variable =
  /^(\uFEFF?[ \t]*(?:export[ \t]+)?)(\w+)(?:[ \t]*=|:[ \t])[ \t]*(?:'[^']*'|"[^"]*"|`[^`]*`)?[^\r\n]*/gm;

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).hostname : '');

const isLocal = (host: string): boolean => /(^|\.)localhost$|^127\.|^\[::1\]$/.test(host);

/** Every secret that a portal makes up. */
const developmentSecret = /^development-only-[\w.-]+$/;

/** What a value of another portal is: a secret that is not for development, or an address of another machine. */
const otherPortal = (name: string, found: string, value: string): string | undefined => {
  if (name.endsWith('_URL')) {
    const host = hostOf(found);
    return host === '' || host === hostOf(value) || isLocal(host) ? undefined : `${name} of ${host}`;
  }
  const isSecret = /_(?:API_KEY|PASSPHRASE|WEBHOOK_SECRET)$/.test(name);
  return !isSecret || found === '' || found === value || developmentSecret.test(found)
    ? undefined
    : `a ${name} that is not for development`;
};

/**
 * Merges a tenant's variables into the text of an `.env` file. Other lines stay unchanged; ours keep their position.
 * Throws rather than replace a value of another portal, which may be the only copy.
 */
const mergeEnv = (text: string, values: Readonly<Record<string, string>>): string => {
  const missing = new Map(Object.entries(values));
  const merged = text.replaceAll(variable, (whole, start: string, name: string) => {
    const value = values[name];
    if (value === undefined) return whole;
    const found = parseEnvText(whole)[name] ?? '';
    // What stands behind the value, such as a comment, may be the only copy of a secret.
    const rest = whole.slice(whole.lastIndexOf(found) + found.length).replace(/^["'`]/, '');
    const tail = rest.trim().replace(/^#.*/, '');
    const other = otherPortal(name, tail === '' ? found : `${found} ${tail}`, value);
    if (other !== undefined)
      throw new UsageError(
        `This file has ${other}, which writing would replace. Move the variables of that portal to another file, or choose another one with --write-env.`,
      );
    missing.delete(name);
    return start + envLine(name, value) + (rest.trim() === '' ? '' : ` ${rest.trim()}`);
  });
  if (missing.size === 0) return merged;
  const lineEnd = text.includes('\r\n') ? '\r\n' : '\n';
  const gap = merged === '' || merged.endsWith('\n') ? '' : lineEnd;
  return merged + gap + [...missing].map(([name, value]) => envLine(name, value) + lineEnd).join('');
};

/** Whether Git would commit a file; false without Git or a repository. */
const isCommitted = (path: string): Promise<boolean> =>
  new Promise((done) => {
    execFile('git', ['check-ignore', '--quiet', path], { cwd: dirname(path) }, (error) =>
      done(error?.code === 1),
    );
  });

/**
 * Writes a tenant's variables into an `.env` file, unless it has them already: a program that watches it, such as Vite,
 * must not restart.
 */
export const writeEnvFile = async ({ io, out }: Run, file: string, tenant: PortalTenant): Promise<void> => {
  const { values } = tenantEnvironment(tenant);
  const expanded = Object.keys(values).filter((name) => values[name]?.includes('$'));
  if (expanded.length > 0)
    throw new UsageError(
      `$ in ${expanded.join(' and ')} of ${tenant.tenancyName}: Vite and Next.js replace it in a file, and Node.js does not. Change it in the seed, or use --run.`,
    );
  const shown = `the variables of ${tenant.tenancyName}`;
  const next = 'Choose another file with --write-env.';
  // A new file is readable only by its owner.
  const { path, mode = 0o600 } = await fileToWrite(io, file, next);
  if ((mode & 0o200) === 0) throw new UsageError(`${file} is read-only, so it was left alone. ${next}`);
  const bytes = await readFile(path).catch((error: unknown) => {
    if (hasCode(error, 'ENOENT')) return Buffer.alloc(0);
    throw fileError(`write ${file}`, error, next);
  });
  if (!isUtf8(bytes))
    throw new UsageError(
      `${file} is not UTF-8, so writing would change its other lines. Save it as UTF-8, or choose another file with --write-env.`,
    );
  const before = bytes.toString();
  const after = mergeEnv(before, values);
  if (after !== before) await replaceFile(path, after, `write ${file}`, next, mode);
  out.note(after === before ? `${file} already has ${shown}.\n` : `Wrote ${shown} to ${file}.\n`);
  if (await isCommitted(path))
    out.warn(`${file} contains secrets, and Git does not ignore it. Add it to .gitignore.`);
};
