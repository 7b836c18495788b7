import { type ReactNode, useId } from 'react';
import { type Row, shown } from './api.ts';
import { useConsole } from './context.tsx';
import { Button, Values } from './parts.tsx';

const open = (dialog: HTMLDialogElement) => {
  dialog.showModal();
  // It starts at its heading, not at a button.
  dialog.tabIndex = -1;
  dialog.focus();
  return () => {
    dialog.close();
    // The row that opened it may be gone, and with it the place of the focus.
    if (document.activeElement?.closest('.body') === null)
      document.querySelector<HTMLElement>('.scroll, main:not(:has(.scroll))')?.focus();
  };
};

/** A dialog over the page. */
export const Popup = (props: {
  readonly title: string;
  readonly isQuestion?: boolean;
  /** Whether Escape would lose what was entered: then only its buttons close it. */
  readonly isEdited?: boolean;
  /** Whether it has its own buttons. Default: one that closes it. */
  readonly hasButtons?: boolean;
  readonly children: ReactNode;
}) => {
  const { show } = useConsole();
  const id = useId();
  return (
    <dialog
      ref={open}
      role={props.isQuestion === true ? 'alertdialog' : undefined}
      aria-labelledby={id}
      onKeyDown={(event) => event.key === 'Escape' && props.isEdited === true && event.preventDefault()}
      onClose={({ currentTarget }) => currentTarget.isConnected && show(undefined)}
    >
      <h2 id={id}>{props.title}</h2>
      {props.children}
      {props.hasButtons !== true && (
        <div className="actions">
          <Button isMain onPress={() => show(undefined)}>
            Close
          </Button>
        </div>
      )}
    </dialog>
  );
};

const pretty = (value: unknown): string => {
  if (typeof value !== 'string')
    return typeof value === 'object' && value !== null ? JSON.stringify(value, null, 2) : shown(value);
  try {
    return JSON.stringify(JSON.parse(value), null, 2);
  } catch {
    return value;
  }
};

/** A whole row, even when its list no longer has it. */
export const RowDetails = ({ title, row }: { readonly title: string; readonly row: Row }) => (
  <Popup title={title}>
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
  </Popup>
);

const onceTitles = { apiKey: 'API key', url: 'Address', key: 'Key', expiresAt: 'Expires' };

/** What a creation returns once, or nothing. */
export const shownOnce = (one: string, created: Row): ReactNode => {
  const rows = Object.entries(onceTitles).flatMap(([name, title]) =>
    name in created ? [[title, shown(created[name]), name !== 'expiresAt'] as const] : [],
  );
  return rows.length === 0 ? undefined : (
    <Popup title={`The new ${one}`}>
      <p>It is shown now and never again: copy what you need.</p>
      <Values rows={rows} />
    </Popup>
  );
};
