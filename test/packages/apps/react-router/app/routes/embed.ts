import type { ActionFunctionArgs, LoaderFunctionArgs } from 'react-router';
import { keys } from '../keys.server';

export const loader = ({ request }: LoaderFunctionArgs) => keys(request);
export const action = ({ request }: ActionFunctionArgs) => keys(request);
