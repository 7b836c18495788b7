import { type ReactNode, useId } from 'react';
import { labelOf, type Row, shown } from './api.ts';
import { keepFocus, useConsole } from './context.tsx';
import { Button, Code, Values } from './parts.tsx';

const open = (dialog: HTMLDialogElement) => {
  dialog.showModal();
  // It starts at its heading, not at a button.
  dialog.tabIndex = -1;
  dialog.focus();
  return () => {
    dialog.close();
    keepFocus();
  };
};

/** A dialog over the page, with a button that closes it. */
export const Popup = (props: {
  readonly title: string;
  readonly role?: 'alertdialog' | undefined;
  /** Whether Escape would lose what was entered: then only its buttons close it. */
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
      onKeyDown={(event) => event.key === 'Escape' && props.isEdited === true && event.preventDefault()}
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
    <Popup title={`The new ${one}`}>
      <p>It is shown now and never again: copy what you need.</p>
      <Values rows={given.map((name) => [labelOf(name), shown(row[name]), name !== 'expiresAt'])} />
    </Popup>
  );
};
