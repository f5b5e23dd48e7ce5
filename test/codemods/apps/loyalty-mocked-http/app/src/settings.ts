/** Settings of the loyalty programme; `LOYALTY_*` come from the environment of the deployment. */
export const settings = {
  messaging: {
    url: process.env.LOYALTY_MESSAGING_URL ?? 'https://api.example.com',
    version: 'v1',
    key: process.env.LOYALTY_MESSAGING_KEY ?? '',
  },
  points: { url: 'https://points.example.net', key: process.env.LOYALTY_POINTS_KEY ?? '' },
} as const;
