import { Link } from 'react-router';

export default function About() {
  return <Link to="/sales">Sales</Link>;
}
