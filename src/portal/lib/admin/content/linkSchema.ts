import { z } from 'zod';
import { chosen, stated } from '../../openapi/provenance.ts';

/** A link as the portal returns it. */
export const linkSchema = z.strictObject({
  id: chosen(z.int(), 'Internal number.'),
  kind: stated('2.5', z.enum(['reportKey', 'slideshow']), 'A Report Key or a Slideshow link.'),
  name: chosen(z.string(), 'What the link opens, and for whom.'),
  reportId: chosen(z.int(), 'Item ID.'),
  expiresAt: chosen(z.iso.datetime().nullable(), 'ISO 8601 UTC, or null when it never ends.'),
  requestedExpiresAt: chosen(
    z.iso.datetime().nullable(),
    'The later end that was asked for, where it was brought forward to the longest lifetime of 24 hours; else null.',
  ),
  createdAt: chosen(z.iso.datetime(), 'ISO 8601 UTC.'),
});

/** A link as the portal returns it. */
export type LinkBody = z.output<typeof linkSchema>;
