// Stands in for React Native: elements that a test renderer shows, the platform, and alerts that are kept.
import type { FunctionComponent } from 'react';

/** `setSecureItem` of the printed storage has two halves. */
export const Platform: { OS: 'ios' | 'android' } = { OS: 'android' };

const element = (name: string) => name as unknown as FunctionComponent<any>;
export const Button = element('Button');
export const Text = element('Text');
export const TextInput = element('TextInput');
export const View = element('View');

/** What people were told, first to last. */
export const alerts: { title: string; message?: string }[] = [];
export const Alert = {
  alert(title: string, message?: string): void {
    alerts.push({ title, message });
  },
};
