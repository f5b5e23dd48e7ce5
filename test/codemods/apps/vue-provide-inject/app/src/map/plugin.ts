import { inject, type App } from 'vue';

/** Where contacts live: a service of others, whose key is for everybody to see. */
export const mapPlugin = {
  install(app: App, { key }: { key: string }) {
    app.provide('map', {
      get: (path: string) => fetch(`https://maps.example.net/v1${path}`, { headers: { 'x-api-key': key } }).then((answer) => answer.json()),
    });
  },
};

export const useMap = () => {
  const map = inject<{ get(path: string): Promise<unknown> }>('map')!;
  return { placeOf: (contact: string) => map.get(`/contacts/${contact}`) };
};
