import { createContext, useContext, type ReactNode } from 'react';

const MapsContext = createContext((path: string) => fetch(`https://maps.example.net/v1${path}`, { headers: { 'x-api-key': 'public' } }));

export const useMaps = () => useContext(MapsContext);
export const MapsProvider = ({ children }: { children: ReactNode }) => <>{children}</>;
