/** One event of a stream. */
export interface StreamEvent {
  /** Position in the stream. */
  readonly id: string;
  readonly name: string;
  readonly data: string;
}

/** Options of {@link createEventParser}. */
export interface EventParserOptions {
  readonly onEvent: (event: StreamEvent) => void;
  /** Called with each new position, even without an event. */
  readonly onId: (id: string) => void;
}

/** Parses server-sent events from chunks of any size, as in the HTML standard. Positions are numbers. */
export const createEventParser = ({ onEvent, onId }: EventParserOptions): ((text: string) => void) => {
  let rest = '';
  let id = '';
  let name = '';
  let data: string[] = [];

  const finish = (): void => {
    if (id) onId(id);
    if (data.length > 0) onEvent({ id, name: name || 'message', data: data.join('\n') });
    name = '';
    data = [];
  };
  const take = (line: string): void => {
    if (line === '') return finish();
    const [, field = '', value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
    if (field === 'data') data.push(value);
    else if (field === 'event') name = value;
    else if (field === 'id' && !Number.isNaN(Number(value))) id = value;
  };

  return (text) => {
    const lines = (rest + text).split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop() ?? '';
    lines.forEach(take);
  };
};
