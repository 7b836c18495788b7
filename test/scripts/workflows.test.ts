import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';

const workflows = globSync('.github/workflows/*.yml');

it('has a workflow for tests, releases and security', () => {
  expect(
    workflows.map((file) => file.split('/').at(-1)).toSorted((a = '', b = '') => a.localeCompare(b)),
  ).toEqual(['ci.yml', 'release.yml', 'security.yml']);
});

it('releases only from main, one at a time, with changesets, and after all tests', () => {
  const { concurrency, jobs } = parse(readFileSync('.github/workflows/release.yml', 'utf8'));
  expect(concurrency).toBe('release');
  expect(jobs.release.if).toContain("github.ref == 'refs/heads/main'");
  const step = jobs.release.steps.find(({ uses = '' }) => uses.startsWith('changesets/action'));
  expect(step.with).toEqual({ version: 'npm run release:version', publish: 'npm run release' });
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
  expect(scripts['release:version']).toMatch(/^changeset version && /);
  expect(scripts.release).toBe('npm test -- --all && changeset publish');
});

/** The rules for an issue form; GitHub ignores one that breaks them, without a message. */
const field = (type: string, attributes: z.ZodType) =>
  z.strictObject({
    type: z.literal(type),
    id: z.string().regex(/^[\w-]+$/),
    attributes,
    validations: z.strictObject({ required: z.boolean() }).optional(),
  });
const texts = z.strictObject({
  label: z.string().min(1),
  description: z.string().optional(),
  placeholder: z.string().optional(),
});
const issueForm = z.strictObject({
  name: z.string().min(1),
  description: z.string().min(1),
  labels: z.array(z.string()).optional(),
  body: z
    .array(
      z.union([
        z.strictObject({ type: z.literal('markdown'), attributes: z.strictObject({ value: z.string() }) }),
        field('textarea', texts),
        field('input', texts),
      ]),
    )
    .refine((body) => {
      const ids = body.flatMap((one) => ('id' in one ? [one.id] : []));
      return ids.length > 0 && new Set(ids).size === ids.length;
    }, 'every field has an id of its own'),
});

it.each(globSync('.github/ISSUE_TEMPLATE/{bug,feature}.yml'))('%s is a form that GitHub accepts', (file) => {
  const form: object = parse(readFileSync(file, 'utf8'));
  expect(issueForm.safeParse(form).error).toBeUndefined();
  expect(issueForm.safeParse({ ...form, name: undefined }).success).toBe(false);
});
