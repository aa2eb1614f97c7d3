export { learningArc } from './learning-arc/learning-arc.ts'
