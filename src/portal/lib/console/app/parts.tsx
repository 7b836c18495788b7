import { type ComponentProps, type ReactNode, useState } from 'react';

/** A card with a heading, controls next to it, and a hint. */
export const Card = (props: {
  readonly title: string;
  readonly hint?: string | undefined;
  readonly aside?: ReactNode;
  readonly children: ReactNode;
}) => (
  <section className="card stack">
    <header className="line">
      <h2>{props.title}</h2>
      <div className="line">{props.aside}</div>
    </header>
    {props.hint && <p className="hint">{props.hint}</p>}
    {props.children}
  </section>
);

/** A button, which submits no form. */
export const Button = (props: ComponentProps<'button'>) => <button type="button" {...props} />;

/** A button that copies a text. `label` names the text for screen readers if the button does not. */
export const CopyButton = (props: {
  readonly text?: string;
  readonly copied: string;
  readonly label?: string;
}) => {
  const { text = 'Copy', copied, label } = props;
  const [isCopied, setCopied] = useState(false);
  return (
    <Button
      aria-label={label && `${label}${isCopied ? ': copied' : ''}`}
      onClick={() => navigator.clipboard.writeText(copied).then(() => setCopied(true))}
      onPointerLeave={() => setCopied(false)}
      onBlur={() => setCopied(false)}
    >
      {isCopied ? 'Copied' : text}
    </Button>
  );
};

/** Names and values with copy buttons. Secrets are hidden until asked for, one at a time. */
export const Values = (props: {
  readonly rows: readonly (readonly [title: string, value: string, isSecret?: boolean])[];
}) => {
  const [open, setOpen] = useState<string>();
  return (
    <dl>
      {props.rows.map(([title, value, isSecret = false]) => {
        const isHidden = isSecret && value !== '' && open !== title;
        return (
          <div key={title}>
            <dt>{title}</dt>
            <dd className="line">
              <code>
                {isHidden ? '••••••••••••' : value || 'not known here: revoked, or shown once, at creation'}
              </code>
              {isSecret && value !== '' && (
                <Button onClick={() => setOpen(isHidden ? title : undefined)}>
                  {isHidden ? 'Show' : 'Hide'} <span className="hidden">{title}</span>
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

/** Comments, texts, and words of a language. */
const tokens =
  /(\/\/.*|^#.*)|('[^'\n]*'|"[^"\n]*"|`[^`]*`)|(\b(?:import|from|export|default|const|function|return|await|async|new|if)\b|<\/?[A-Za-z][\w.]*|\/?>)/gm;
const colors = ['', 'soft', 'good', 'accent'];

/** Code in color: what stands between the tokens, and each token in its own group. */
const colored = (code: string): readonly ReactNode[] =>
  code.split(tokens).map((part, place) => (
    // Parts have no identity but their place.
    <span key={place} className={colors[place % colors.length]}>
      {part}
    </span>
  ));

/** Code in color, to copy. */
export const Code = ({ name, code }: { readonly name: string; readonly code: string }) => (
  <Card title={name} aside={<CopyButton copied={code} label={`Copy ${name}`} />}>
    <pre>{colored(code)}</pre>
  </Card>
);
