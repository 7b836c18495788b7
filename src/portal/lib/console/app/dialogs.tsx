import { type ReactNode, useId } from 'react';
import type { PortalTenant } from '../../tenants/describeTenants.ts';
import { labelOf, type Row, shown } from './api.ts';
import { Connection } from './Connection.tsx';
import { keepFocus, useConsole } from './context.tsx';
import { Button, Code, Values } from './parts.tsx';

const open = (dialog: HTMLDialogElement) => {
  dialog.showModal();
  // It starts in its first field, or at its heading, not at a button.
  dialog.tabIndex = -1;
  (dialog.querySelector<HTMLElement>('input, select, textarea') ?? dialog).focus();
  return () => {
    dialog.close();
    keepFocus();
  };
};

/** Whether what the open dialog holds may be lost, if it holds something: its user is asked. */
export const mayLeave = (): boolean =>
  document.querySelector('dialog[data-edited]') === null ||
  window.confirm('Close the dialog? What it holds will be lost.');

/** A dialog over the page, with a button that closes it. */
export const Popup = (props: {
  readonly title: string;
  readonly role?: 'alertdialog' | undefined;
  /** Whether it holds something that would be lost: then Escape and Back ask first. */
  readonly isEdited?: boolean;
  /** A button beside the one that closes it. */
  readonly action?: ReactNode;
  readonly children: ReactNode;
}) => {
  const { show } = useConsole();
  const id = useId();
  return (
    <dialog
      className="stack"
      ref={open}
      role={props.role}
      aria-labelledby={id}
      data-edited={props.isEdited || undefined}
      onKeyDown={(event) => event.key === 'Escape' && !mayLeave() && event.preventDefault()}
      onClose={({ currentTarget }) => currentTarget.isConnected && show(undefined)}
    >
      <h2 id={id}>{props.title}</h2>
      {props.children}
      <div className="actions line">
        <Button onClick={() => show(undefined)}>{props.action === undefined ? 'Close' : 'Cancel'}</Button>
        {props.action}
      </div>
    </dialog>
  );
};

/** A text that is a JSON object, as that object. */
const parsed = (_: string, value: unknown): unknown => {
  if (typeof value !== 'string' || !value.startsWith('{')) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
};

/** A whole row, even when its list no longer has it. */
export const RowDetails = ({ title, row }: { readonly title: string; readonly row: Row }) => (
  <Popup title={title}>
    <Code name="Fields" code={JSON.stringify(row, parsed, 2)} />
  </Popup>
);

/** What a creation returns once, or nothing. */
export const shownOnce = (one: string, row: Row): ReactNode => {
  const given = ['apiKey', 'url', 'key', 'expiresAt'].filter((name) => row[name] !== undefined);
  return given.length === 0 ? undefined : (
    <Popup title={`The new ${one}`} isEdited>
      <p>Its secrets are shown now and never again: copy what you need.</p>
      {row['passPhrase'] === undefined ? (
        <Values rows={given.map((name) => [labelOf(name), shown(row[name]), name !== 'expiresAt'])} />
      ) : (
        // The answer to a new tenant.
        <Connection tenant={row as unknown as PortalTenant} />
      )}
    </Popup>
  );
};
