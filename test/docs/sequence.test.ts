import { globSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseSequence } from '../../stories/manual/sequence.ts';
import { codeBlocks } from '../packaging/harness/codeBlocks.ts';

describe('a sequence diagram', () => {
  it('has messages, replies and notes between its participants', () => {
    const source = `sequenceDiagram
  participant B as Browser
  actor Portal
  B->>Portal: asks
  Portal->>Portal: thinks: hard
  Portal-->>B: answers
  Note over B: shows`;
    expect(parseSequence(source)).toEqual({
      participants: ['Browser', 'Portal'],
      steps: [
        { type: 'message', from: 0, to: 1, text: 'asks', isReply: false },
        { type: 'message', from: 1, to: 1, text: 'thinks: hard', isReply: false },
        { type: 'message', from: 1, to: 0, text: 'answers', isReply: true },
        { type: 'note', at: 0, text: 'shows' },
      ],
    });
  });

  it.each([
    ['a line that is not understood', 'sequenceDiagram\n  participant B\n  loop daily', 'not understood: '],
    ['an unknown participant', 'sequenceDiagram\n  A->>B: asks', 'no participant "A"'],
    ['another kind of diagram', 'flowchart LR', 'is not a sequence diagram'],
  ])('rejects %s', (_what, source, message) => {
    expect(() => parseSequence(source)).toThrow(message);
  });

  it('parses the diagrams of every page', () => {
    const blocks = globSync('docs/**/*.md').flatMap(codeBlocks);
    const diagrams = blocks.filter(({ language }) => language === 'mermaid');
    expect(diagrams.length).toBeGreaterThanOrEqual(4);
    for (const { code } of diagrams) expect(parseSequence(code).steps.length).toBeGreaterThan(3);
  });
});
