/** Code of a redirect to a sign-in page of the portal itself. */
export const signInCode = 'sign_in_page';

const signInPath = /log-?in|log-?on|sign-?in|\b(account|auth|sso|oauth2?)\b/i;

/** Whether a redirect leads to a sign-in page at the same origin. */
export const isSignInRedirect = (location: string | undefined, origin: string): boolean => {
  const url = location === undefined ? null : URL.parse(location, origin);
  return url !== null && url.origin === origin && signInPath.test(url.pathname);
};
