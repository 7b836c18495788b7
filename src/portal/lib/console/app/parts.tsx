import { type ReactNode, useEffect, useState } from 'react';
import { shown } from './api.ts';

/** A card with a heading, controls next to it, and a hint. */
export const Card = (props: {
  readonly title: string;
  readonly hint?: string | undefined;
  readonly aside?: ReactNode;
  readonly children: ReactNode;
}) => (
  <section className="card">
    <header>
      <h2>{props.title}</h2>
      <div className="row-actions">{props.aside}</div>
    </header>
    {props.hint && <p className="hint">{props.hint}</p>}
    {props.children}
  </section>
);

/** A button; `isMain` for the primary one, `label` where its text is not enough without its row. */
export const Button = (props: {
  readonly children: ReactNode;
  readonly onPress: () => unknown;
  readonly isMain?: boolean;
  readonly isDisabled?: boolean;
  readonly label?: string | undefined;
}) => (
  <button
    type="button"
    className={props.isMain === true ? 'main' : undefined}
    disabled={props.isDisabled}
    aria-label={props.label}
    onClick={() => void props.onPress()}
  >
    {props.children}
  </button>
);

/** A button that copies a text. `label` names the text for screen readers if the button does not. */
export const CopyButton = (props: {
  readonly text?: string;
  readonly copied: string;
  readonly label?: string;
}) => {
  const { text = 'Copy', copied, label } = props;
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return undefined;
    const timer = window.setTimeout(() => setCopied(false), 2000);
    return () => window.clearTimeout(timer);
  }, [isCopied]);
  return (
    <Button
      label={label === undefined || !isCopied ? label : `${label}: copied`}
      onPress={() => navigator.clipboard.writeText(copied).then(() => setCopied(true))}
    >
      {isCopied ? 'Copied' : text}
    </Button>
  );
};

/** Names and values with copy buttons. Secrets are hidden until asked for. */
export const Values = (props: {
  readonly rows: readonly (readonly [title: string, value: string, isSecret?: boolean])[];
}) => {
  const [open, setOpen] = useState<readonly string[]>([]);
  return (
    <dl className="values">
      {props.rows.map(([title, value, isSecret = false]) => {
        const isHidden = isSecret && value !== '' && !open.includes(title);
        return (
          <div key={title}>
            <dt>{title}</dt>
            <dd>
              <code>{isHidden ? '••••••••••••' : value || 'not stored: it was shown once, at creation'}</code>
              {isHidden && (
                <Button label={`Show ${title}`} onPress={() => setOpen([...open, title])}>
                  Show
                </Button>
              )}
              {value !== '' && <CopyButton copied={value} label={`Copy ${title}`} />}
            </dd>
          </div>
        );
      })}
    </dl>
  );
};

/** Whether a status or an outcome is a failure. */
export const isFailure = (status: unknown): boolean =>
  status !== 'delivered' && !(Number(status) > 0 && Number(status) < 400);

/** A status or an outcome. */
export const Status = ({ value }: { readonly value: unknown }) => (
  <strong className={isFailure(value) ? 'bad' : 'good'}>{value === 0 ? 'no response' : shown(value)}</strong>
);

const tokens =
  /(?<comment>\/\/.*|^#.*)|(?<text>'[^'\n]*'|"[^"\n]*"|`[^`]*`)|(?<word>\b(?:import|from|export|default|const|function|return|await|async|new|if)\b)|(?<tag><\/?[A-Za-z][\w.]*|\/?>)/gm;

const colored = (code: string): readonly ReactNode[] => {
  const found = [...code.matchAll(tokens)];
  return [...found, undefined].map((token, place) => {
    const before = found[place - 1];
    const start = before === undefined ? 0 : before.index + before[0].length;
    const kind = Object.entries(token?.groups ?? {}).find(([, text]) => text !== undefined)?.[0];
    return (
      <span key={start}>
        {code.slice(start, token?.index)}
        <span className={`code-${kind}`}>{token?.[0]}</span>
      </span>
    );
  });
};

/** Code in color, to copy. */
export const Code = ({ name, code }: { readonly name: string; readonly code: string }) => (
  <Card title={name} aside={<CopyButton copied={code} label={`Copy ${name}`} />}>
    {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex, jsx-a11y/prefer-tag-over-role -- it scrolls */}
    <pre tabIndex={0} role="region" aria-label={name}>
      {colored(code)}
    </pre>
  </Card>
);
