// What the blocks of the documents use besides the library: other packages, and names of the page around them.
declare module 'axios';
declare module 'expo-crypto';
declare module 'expo-secure-store';
declare module 'react-native';
declare const axios: any;
declare const auth: any;
declare const createAuth: any;
declare const SignIn: any;
declare const Splash: any;
