import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { type Row, shown, shownTime } from './api.ts';
import { type Opened, type Question, useConsole } from './context.tsx';

/** A card with a heading, and controls next to it. */
export const Card = ({
  title,
  aside,
  children,
}: {
  readonly title: string;
  readonly aside?: ReactNode;
  readonly children: ReactNode;
}) => (
  <section className="card">
    <header>
      <h2>{title}</h2>
      {aside}
    </header>
    {children}
  </section>
);

/** A button; `isMain` for the primary one, `label` where its text is not enough without its row. */
export const Button = ({
  children,
  onPress,
  isMain = false,
  isDisabled = false,
  label,
}: {
  readonly children: ReactNode;
  readonly onPress: () => unknown;
  readonly isMain?: boolean;
  readonly isDisabled?: boolean;
  readonly label?: string;
}) => (
  <button
    type="button"
    className={isMain ? 'main' : 'plain'}
    disabled={isDisabled}
    aria-label={label}
    onClick={() => void onPress()}
  >
    {children}
  </button>
);

/** A labeled control of a toolbar. */
export const Labeled = ({ text, children }: { readonly text: string; readonly children: ReactNode }) => (
  <label className="field">
    <span>{text}</span>
    {children}
  </label>
);

/** A choice from a few texts. */
export const Select = ({
  label,
  options,
  value,
  onChange,
}: {
  readonly label: string;
  readonly options: readonly (readonly [value: string, text: string])[];
  readonly value: string;
  readonly onChange: (value: string) => void;
}) => (
  <Labeled text={label}>
    <select value={value} onChange={({ target }) => onChange(target.value)}>
      {options.map(([option, text]) => (
        <option key={option} value={option}>
          {text}
        </option>
      ))}
    </select>
  </Labeled>
);

/** A button that copies a text, read on press. `label` names the text for screen readers if the button does not. */
export const CopyButton = ({
  text = 'Copy',
  read,
  label,
}: {
  readonly text?: string;
  readonly read: () => string;
  readonly label?: string;
}) => {
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return undefined;
    const timer = window.setTimeout(() => setCopied(false), 2000);
    return () => window.clearTimeout(timer);
  }, [isCopied]);
  const copy = () => navigator.clipboard.writeText(read()).then(() => setCopied(true));
  return (
    <Button onPress={copy} {...(label !== undefined && { label: isCopied ? `${label}: copied` : label })}>
      {isCopied ? 'Copied' : text}
    </Button>
  );
};

/** Names and values with copy buttons. Secrets are hidden until asked for. */
export const Values = ({
  rows,
}: {
  readonly rows: readonly { readonly title: string; readonly value: string; readonly isSecret?: boolean }[];
}) => {
  const [open, setOpen] = useState<readonly string[]>([]);
  return (
    <dl className="values">
      {rows.map(({ title, value, isSecret = false }) => {
        const isHidden = isSecret && !open.includes(title);
        const known = value === '' ? 'not stored: it was shown once, at creation' : value;
        return (
          <div key={title}>
            <dt>{title}</dt>
            <dd>
              <code>{isHidden && value !== '' ? '••••••••••••' : known}</code>
              {isHidden && value !== '' && (
                <Button label={`Show ${title}`} onPress={() => setOpen([...open, title])}>
                  Show
                </Button>
              )}
              {value !== '' && <CopyButton read={() => value} label={`Copy ${title}`} />}
            </dd>
          </div>
        );
      })}
    </dl>
  );
};

/** Whether a status or an outcome is a failure. */
export const isFailure = (status: unknown): boolean => {
  const number = Number(status);
  return status !== 'delivered' && (Number.isNaN(number) || number === 0 || number >= 400);
};

/** A status or an outcome. */
export const Status = ({ value }: { readonly value: unknown }) => (
  <span className={`badge ${isFailure(value) ? 'bad' : 'good'}`}>
    {value === 0 ? 'no response' : shown(value)}
  </span>
);

/** A column of a table. */
export interface Column {
  readonly title: string;
  /** Field of the row: it sorts by it, and shows it without `render`. */
  readonly field?: string;
  readonly render?: (row: Row) => ReactNode;
  readonly isTime?: boolean;
  readonly isNumber?: boolean;
}

/** Line breaks of a cell: none in a code such as `region-north`, anywhere in a very long text. */
const wrapOf = (text: string): string =>
  /^\S{1,24}$/.test(text) ? 'word' : /\S{40}/.test(text) ? 'long' : '';

const Cell = ({ column, row }: { readonly column: Column; readonly row: Row }) => {
  const { title, field = '', render, isTime = false, isNumber = false } = column;
  const content = render === undefined ? (isTime ? shownTime : shown)(row[field]) : render(row);
  const wrap = typeof content === 'string' ? wrapOf(content) : '';
  return (
    <td className={isTime ? 'time' : isNumber ? 'number' : wrap} data-title={title || undefined}>
      {content}
    </td>
  );
};

/** How a table is sorted: `-name` is descending. */
export interface Sorting {
  readonly sort: string;
  readonly onSort: (sort: string) => void;
}

const SortButton = ({
  column: { title, field = '' },
  sorting: { sort, onSort },
}: {
  readonly column: Column;
  readonly sorting: Sorting;
}) => (
  <button
    type="button"
    className="sort"
    onClick={() => onSort(sort === field ? `-${field}` : sort === `-${field}` ? '' : field)}
  >
    {title}
    <span aria-hidden="true">{sort === field ? '↑' : sort === `-${field}` ? '↓' : ''}</span>
  </button>
);

const orderOf = (field: string | undefined, sort: string | undefined) =>
  field === undefined || sort === undefined || sort.replace('-', '') !== field
    ? undefined
    : sort.startsWith('-')
      ? 'descending'
      : 'ascending';

/** When the row with the focus is gone, the focus moves to the same button of the row in its place. */
const useKeptFocus = () => {
  const table = useRef<HTMLElement>(null);
  const held = useRef<{ readonly line: number; readonly button: number }>(undefined);
  useLayoutEffect(() => {
    if (held.current === undefined || document.activeElement !== document.body) return;
    const lines = [...(table.current?.querySelectorAll('tbody tr') ?? [])];
    const heir = lines[held.current.line] ?? lines.at(-1);
    (heir?.querySelectorAll('button')[held.current.button] ?? table.current)?.focus();
  });
  useEffect(
    () => () => {
      // The last row is gone, and the table with it.
      if (held.current !== undefined && document.activeElement === document.body)
        document.querySelector<HTMLElement>('main')?.focus();
    },
    [],
  );
  const hold = ({ target }: { readonly target: Element }) => {
    const row = target.closest('tr');
    const buttons = [...(row?.querySelectorAll('button') ?? [])];
    const line = [...(table.current?.querySelectorAll('tbody tr') ?? [])].findIndex((one) => one === row);
    held.current = line < 0 ? undefined : { line, button: buttons.findIndex((one) => one === target) };
  };
  const release = () => {
    held.current = undefined;
  };
  return { ref: table, onFocus: hold, onBlur: release };
};

const bringInSight = (line: HTMLElement | null) => line?.scrollIntoView({ block: 'center' });

/** A table of rows. A row keeps its place, focus and selected text while others come and go. */
export const Table = ({
  label,
  columns,
  rows,
  sorting,
  highlighted,
}: {
  readonly label: string;
  readonly columns: readonly Column[];
  readonly rows: readonly Row[];
  readonly sorting?: Sorting | undefined;
  /** ID of the row to bring in sight. */
  readonly highlighted?: unknown;
}) => (
  // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must take the keyboard focus
  <section className="scroll" tabIndex={0} aria-label={label} {...useKeptFocus()}>
    <table>
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column.title} scope="col" aria-sort={orderOf(column.field, sorting?.sort)}>
              {sorting && column.field ? (
                <SortButton column={column} sorting={sorting} />
              ) : (
                column.title || <span className="hidden">Actions</span>
              )}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => {
          const isNew = highlighted !== undefined && shown(row['id']) === shown(highlighted);
          return (
            <tr
              key={shown(row['id'] ?? row['tenancyName'])}
              className={isNew ? 'new' : undefined}
              ref={isNew ? bringInSight : undefined}
            >
              {columns.map((column) => (
                <Cell key={column.title} column={column} row={row} />
              ))}
            </tr>
          );
        })}
      </tbody>
    </table>
  </section>
);

/** What is shown instead of rows: while they are read, when that failed, and when there are none. */
export const Nothing = ({
  error,
  isLoading,
  children,
}: {
  readonly error: Error | null;
  readonly isLoading: boolean;
  readonly children: ReactNode;
}) => {
  if (error !== null)
    return (
      <p className="nothing" role="alert">
        {error.message}
      </p>
    );
  return isLoading ? <div className="waiting" /> : <p className="nothing">{children}</p>;
};

/** A dialog over the page. */
export const Popup = ({
  title,
  onClose,
  isQuestion = false,
  children,
}: {
  readonly title: string;
  readonly onClose: () => void;
  readonly isQuestion?: boolean;
  readonly children: ReactNode;
}) => (
  <ModalOverlay isOpen isDismissable={false} className="overlay" onOpenChange={onClose}>
    <Modal className="modal">
      <Dialog role={isQuestion ? 'alertdialog' : 'dialog'}>
        <Heading slot="title">{title}</Heading>
        {children}
      </Dialog>
    </Modal>
  </ModalOverlay>
);

/** The question before a loss. */
export const Confirmation = ({
  question: { text, action, act },
  onClose,
}: {
  readonly question: Question;
  readonly onClose: () => void;
}) => (
  <Popup title={`${action}?`} isQuestion onClose={onClose}>
    <p>{text}</p>
    <div className="actions">
      <Button onPress={onClose}>Cancel</Button>
      <Button
        isMain
        onPress={() => {
          onClose();
          return act();
        }}
      >
        {action}
      </Button>
    </div>
  </Popup>
);

const pretty = (value: unknown): string => {
  if (typeof value !== 'string')
    return typeof value === 'object' && value !== null ? JSON.stringify(value, null, 2) : shown(value);
  try {
    return JSON.stringify(JSON.parse(value), null, 2);
  } catch {
    return value;
  }
};

/** A button that shows a whole row. */
export const Details = (opened: Opened) => {
  const { open } = useConsole();
  return <Button onPress={() => open(opened)}>Details</Button>;
};

/** A whole row. */
export const RowDetails = ({
  opened: { title, row },
  onClose,
}: {
  readonly opened: Opened;
  readonly onClose: () => void;
}) => {
  const close = () => {
    onClose();
    // The row that opened it may be gone, and with it the place of the focus.
    window.setTimeout(() => {
      if (document.activeElement === document.body) document.querySelector<HTMLElement>('.scroll')?.focus();
    }, 50);
  };
  return (
    <Popup title={title} onClose={close}>
      <dl className="details">
        {Object.entries(row).map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <pre>{pretty(value)}</pre>
            </dd>
          </div>
        ))}
      </dl>
      <div className="actions">
        <Button isMain onPress={close}>
          Close
        </Button>
      </div>
    </Popup>
  );
};

const tokens =
  /(?<comment>\/\/.*|^#.*)|(?<text>'[^'\n]*'|"[^"\n]*"|`[^`]*`)|(?<word>\b(?:import|from|export|default|const|function|return|await|async|new|if)\b)|(?<tag><\/?[A-Za-z][\w.]*|\/?>)/gm;

const colored = (code: string): ReactNode[] => {
  const parts: ReactNode[] = [];
  let end = 0;
  for (const found of code.matchAll(tokens)) {
    const kind = Object.entries(found.groups ?? {}).find(([, text]) => text !== undefined)?.[0];
    parts.push(
      code.slice(end, found.index),
      <span key={found.index} className={`code-${kind}`}>
        {found[0]}
      </span>,
    );
    end = found.index + found[0].length;
  }
  return [...parts, code.slice(end)];
};

/** Code in color, to copy. */
export const Code = ({ name, code }: { readonly name: string; readonly code: string }) => (
  <section className="code">
    <header>
      <h3>{name}</h3>
      <CopyButton read={() => code} label={`Copy ${name}`} />
    </header>
    {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex, jsx-a11y/prefer-tag-over-role -- it scrolls */}
    <pre tabIndex={0} role="region" aria-label={name}>
      {colored(code)}
    </pre>
  </section>
);
