import { globSync, readFileSync } from 'node:fs';
import type { EmbedKey, Problem } from '@vitrine/contract';
import type * as embed from '@vitrine/react';
import type { FakeEmbed } from '@vitrine/react/testing';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { internalNames, shorten } from './shortenNames.ts';

/** The names of all properties that a type, or any arm of it, has. */
type NamesOf<TType> = TType extends unknown ? keyof TType : never;

/** What a host, its tests, its backend and its cache get to see. */
type PublicType =
  | embed.ActionFilter
  | embed.EmbeddedReportHandle
  | embed.EmbeddedReportOptions
  | embed.EmbeddedReportProps
  | embed.EmbeddedReportResult
  | embed.EmbedError
  | embed.EmbedErrorFacts
  | embed.EmbedKeyOptions
  | embed.EmbedProviderProps
  | embed.Environment
  | embed.KeyRequestOptions
  | embed.Labels
  | embed.RefreshDue
  | embed.ReportAction
  | embed.ReportFrame
  | embed.ReportFrameProps
  | embed.ReportSnapshot
  | embed.ReportState
  | embed.ReportViewOptions
  | embed.SlotProps
  | ReturnType<typeof embed.embedKeyOptions>
  | EmbedKey
  | FakeEmbed
  | Problem;

describe('the internal names of the React package', () => {
  it('are written short in its build, in whatever form a property is named', () => {
    const source =
      'const { held, blocked = 1, slowAt: at } = frame;\nframe.isLoaded ||= held.endsAt > at;\nuse({ held });\n';
    expect(shorten(source)).toBe(
      'const { h: held, o: blocked = 1, s: at } = frame;\nframe.l ||= held.e > at;\nuse({ h: held });\n',
    );
  });

  it('leave everything else of a module as it is', () => {
    const source =
      '"use client";\n/** Says held. */\nexport const beat = () => "held" + all[held] + `${store}`;\n';
    expect(shorten(source)).toBe(source);
  });

  it('are none that a host can meet', () => {
    // `tsc` decides this.
    expectTypeOf<Extract<keyof typeof internalNames, NamesOf<PublicType>>>().toBeNever();
    expectTypeOf<Extract<'isShown' | 'held', NamesOf<PublicType>>>().toEqualTypeOf<'isShown'>();
  });

  it('become names that are unlike each other and that no module uses already', () => {
    const short = Object.values(internalNames);
    expect(new Set(short).size).toBe(short.length);
    const isUsed = new RegExp(`\\.(${short.join('|')})\\b|\\b(${short.join('|')})\\??[:=] `);
    expect(isUsed.test('frame.h += 1;')).toBe(true);
    const sources = globSync('src/{react/lib,contract/lib/embedding}/**/*.{ts,tsx}');
    expect(sources.length).toBeGreaterThan(30);
    expect(sources.filter((file) => isUsed.test(readFileSync(file, 'utf8')))).toEqual([]);
  });
});
