import { type ReactNode, useEffect, useState } from 'react';
import { HandMadeReport, type SubjectProps } from './handMadeReport.tsx';

const second = 1_000;

/** The control: a report that counts the age of its key in its state, as one with a countdown does. */
export const AgingReport = (props: SubjectProps): ReactNode => {
  const { environment } = props.provider;
  const [age, setAge] = useState(0);
  useEffect(() => {
    const timer = environment.setTimeout(() => setAge(age + 1), second);
    return () => environment.clearTimeout(timer as never); // what `setTimeout` gave
  }, [environment, age]);
  return <HandMadeReport {...props} />;
};
