import { EmbeddedReport, type EmbeddedReportProps, useEmbeddedReport } from '@vitrine/react';
import type { ComponentProps } from 'react';
import { expectTypeOf, it } from 'vitest';

// `tsc` decides these tests; running them adds nothing.

it('requires a numeric itemId', () => {
  expectTypeOf<EmbeddedReportProps['itemId']>().toEqualTypeOf<number>();
  // @ts-expect-error -- itemId is missing
  expectTypeOf(<EmbeddedReport />).toBeObject();
  // @ts-expect-error -- a text is not an item ID
  expectTypeOf(<EmbeddedReport itemId="1042" />).toBeObject();
});

it('accepts no identity in the browser', () => {
  // @ts-expect-error -- only the host's backend says who is looking
  expectTypeOf(<EmbeddedReport itemId={1042} userId="north.manager@acme.example" />).toBeObject();
  // @ts-expect-error -- nor with which roles
  expectTypeOf(<EmbeddedReport itemId={1042} roleNames={['region-north']} />).toBeObject();
});

it('accepts only a string as the title', () => {
  expectTypeOf<ComponentProps<typeof EmbeddedReport>['title']>().toEqualTypeOf<string | undefined>();
});

it('accepts no content in the root or the frame', () => {
  // @ts-expect-error -- the root holds the frames
  expectTypeOf(<EmbeddedReport itemId={1042} dangerouslySetInnerHTML={{ __html: '' }} />).toBeObject();
  const frameProps = { dangerouslySetInnerHTML: { __html: '' } };
  // @ts-expect-error -- the frame holds the report
  expectTypeOf(<EmbeddedReport itemId={1042} frameProps={frameProps} />).toBeObject();
});

it('requires a number in the hook too', () => {
  expectTypeOf(useEmbeddedReport).parameter(0).toEqualTypeOf<number>();
});
