import { type ReactNode, useEffect, useState } from 'react';
import { HandMadeReport, type SubjectProps } from './handMadeReport.tsx';

const second = 1_000;

/** The control: a report with the age of its key in its state, like one with a countdown. */
export const AgingReport = (props: SubjectProps): ReactNode => {
  const [age, setAge] = useState(0);
  useEffect(() => {
    const timer = setTimeout(() => setAge(age + 1), second);
    return () => clearTimeout(timer);
  }, [age]);
  return <HandMadeReport {...props} />;
};
