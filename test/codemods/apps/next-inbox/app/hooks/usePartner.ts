import useSWR from 'swr';

const geocoder = (url: string) =>
  fetch(url, { headers: { 'x-api-key': process.env.NEXT_PUBLIC_GEO_KEY ?? '' } }).then((res) => res.json());

export const usePlace = (query: string) =>
  useSWR(query === '' ? null : `https://geo.acme-maps.dev/v1/search?q=${encodeURIComponent(query)}`, geocoder);
